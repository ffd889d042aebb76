// A line segment of a trail with constant width on screen.
uniform mat4 viewProjection;
uniform vec2 pictureSize; // pixels

in vec2 corner; // x along, y across, each -1 or 1
in vec4 start; // w: half the width in pixels
in vec3 end;
in vec4 tint;

out vec4 trailTint;

void main() {
    vec4 a = viewProjection * vec4(start.xyz, 1.0);
    vec4 b = viewProjection * vec4(end, 1.0);
    trailTint = tint;
    if (a.w < 1e-4 || b.w < 1e-4) {
        // behind the camera
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    vec2 way = (b.xy / b.w - a.xy / a.w) * pictureSize;
    float far = length(way);
    vec2 along = far > 1e-3 ? way / far : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    vec4 place = corner.x < 0.0 ? a : b;
    vec2 pixels = (along * corner.x + across * corner.y) * start.w;
    place.xy += pixels * 2.0 / pictureSize * place.w;
    gl_Position = place;
}
