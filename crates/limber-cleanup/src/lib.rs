//! Clip to believable clip: contacts, foot lock, filtering, floor, root.
