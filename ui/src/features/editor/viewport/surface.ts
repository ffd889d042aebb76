import { DoubleSide, NoColorSpace, type Material, type Mesh, type MeshBasicMaterial, type MeshStandardMaterial, type Texture } from "three";

/** The material of a mesh, as `skin.frag` expects it. */
export interface Surface {
  baseColor: [number, number, number, number];
  metallic: number;
  roughness: number;
  emissive: [number, number, number];
  unlit: boolean;
  /** Fragments with less alpha are discarded; 0 for opaque surfaces. */
  alphaCutoff: number;
  doubleSided: boolean;
  /** Base colour, metallic-roughness, emissive. */
  textures: [Texture | null, Texture | null, Texture | null];
}

/** For materials with blending, because meshes are not sorted by depth. */
const blendCutoff = 0.3;

export function surfaceOf(mesh: Mesh): Surface {
  const material = [mesh.material].flat()[0] as Material & Partial<MeshStandardMaterial> & Partial<MeshBasicMaterial>;
  const { color, emissive, emissiveIntensity = 1, metalness = 0, roughness = 1 } = material;
  const alphaCutoff = material.alphaTest > 0 ? material.alphaTest : material.transparent ? blendCutoff : 0;
  return {
    baseColor: color ? [color.r, color.g, color.b, material.opacity] : [1, 1, 1, 1],
    metallic: Math.min(Math.max(metalness, 0), 1),
    roughness: Math.min(Math.max(roughness, 0.05), 1),
    emissive: emissive
      ? [emissive.r * emissiveIntensity, emissive.g * emissiveIntensity, emissive.b * emissiveIntensity]
      : [0, 0, 0],
    unlit: !emissive,
    alphaCutoff,
    doubleSided: material.side === DoubleSide,
    textures: [material.map ?? null, material.metalnessMap ?? null, material.emissiveMap ?? null].map(withoutConversion) as Surface["textures"],
  };
}

/** The shader itself converts from sRGB. */
function withoutConversion(texture: Texture | null): Texture | null {
  if (texture) texture.colorSpace = NoColorSpace;
  return texture;
}
