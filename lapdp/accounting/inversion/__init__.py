"""The privacy profile from moments by Chourasia et al. 2024, (37): integrals and finite sums."""
