// A triangle that covers the whole target; `place` goes from 0 to 1 across it.
in vec2 cover;
out vec2 place;

void main() {
    place = cover * 0.5 + 0.5;
    gl_Position = vec4(cover, 0.0, 1.0);
}
