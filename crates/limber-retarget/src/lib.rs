//! Clip and character to the same movement on that character's skeleton.
