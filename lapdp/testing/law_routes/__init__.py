"""How laws of pairs are decided: symbolically, exactly on finite pairs, by balls at points."""
