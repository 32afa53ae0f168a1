"""Results that are in none of the papers; one file a subject."""
