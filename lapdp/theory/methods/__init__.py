"""Methods of the engine: each offers a certificate, a refutation, or a reason why it stops."""
