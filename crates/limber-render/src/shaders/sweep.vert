// A floor that curves up into a wall.
uniform mat4 viewProjection;
in vec3 position;
in vec3 normal;
out vec3 world;
out vec3 facing;

void main() {
    world = position;
    facing = normal;
    gl_Position = viewProjection * vec4(position, 1.0);
}
