"""What researchers and authors of accountants test their own code with."""
