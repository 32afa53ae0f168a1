"""Finding derivations for the kernel.  Nothing here is trusted: the kernel checks every step."""
