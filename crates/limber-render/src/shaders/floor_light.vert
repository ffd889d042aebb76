// A triangle over the whole target; `place` runs 0 to 1 over it.
in vec2 cover;
out vec2 place;

void main() {
    place = cover * 0.5 + 0.5;
    gl_Position = vec4(cover, 0.0, 1.0);
}
