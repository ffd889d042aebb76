// A bone or joint: an octahedron from start to end. Drawn in the nearest hundredth of the depth
// range, so that it shows through the skin but is still depth-tested against other bones.
uniform mat4 viewProjection;

in vec3 shape; // x: position along the bone, or 2 for the ring; y, z: offset across it
in vec4 start; // w: half the thickness
in vec4 end; // w: position of the ring along the bone
in vec4 tint;

out vec3 bonePosition;
out vec4 boneTint;

void main() {
    vec3 way = end.xyz - start.xyz;
    vec3 along = normalize(way + vec3(0.0, 1e-7, 0.0));
    vec3 other = abs(along.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    vec3 side = normalize(cross(along, other));
    vec3 front = cross(along, side);
    float at = shape.x > 1.5 ? end.w : shape.x;
    bonePosition = start.xyz + way * at + (side * shape.y + front * shape.z) * start.w;
    boneTint = tint;
    vec4 clip = viewProjection * vec4(bonePosition, 1.0);
    clip.z = clip.w * (-0.99 + 0.009 * clip.z / clip.w);
    gl_Position = clip;
}
