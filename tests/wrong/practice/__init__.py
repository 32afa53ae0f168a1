"""What practitioners really write, wrong and right, each put to the default call of a check.

No argument of a check is chosen for a thing: a newcomer would hand over the same.
"""
