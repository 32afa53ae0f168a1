"""The kernel by itself: what each rule accepts, what it refuses and why, and faults put into it."""
