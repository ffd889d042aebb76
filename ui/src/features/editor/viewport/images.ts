import { Texture } from "three";
import type { GLTFLoaderPlugin, GLTFParser } from "three/examples/jsm/loaders/GLTFLoader.js";
import { imageSize, maxImageSide } from "./image-size";

/** Larger textures are scaled down to this side, as in limber-render. */
const maxTextureSide = 2048;

/** What is read of the document of a GLB. */
interface Document {
  images: { bufferView: number }[];
  materials?: {
    pbrMetallicRoughness?: { baseColorTexture?: TextureInfo; metallicRoughnessTexture?: TextureInfo };
    emissiveTexture?: TextureInfo;
  }[];
}

interface TextureInfo {
  index: number;
}

/**
 * Decodes the images of a file, each only once, without `blob:` URLs, which the content security
 * policy does not allow. It holds them until it is disposed of, because they take much memory and
 * the time of garbage collection is unknown.
 */
export class DecodedImages {
  private readonly images = new Map<number, Promise<ImageBitmap>>();
  private isDisposed = false;

  plugin(parser: GLTFParser): GLTFLoaderPlugin {
    const document = parser.json as Document;
    const drawn = drawnTextures(document);
    const extended = parser as GLTFParser & { loadImageSource(index: number): Promise<Texture> };
    extended.loadImageSource = async (index) => {
      const texture = new Texture(await this.image(index, parser, document));
      texture.needsUpdate = true;
      return texture;
    };
    return {
      name: "limber-images",
      // the shaders have no normal maps and the like
      loadTexture: (index) => (drawn.has(index) ? null : (Promise.resolve(null) as unknown as Promise<Texture>)),
    };
  }

  private image(index: number, parser: GLTFParser, { images }: Document): Promise<ImageBitmap> {
    const known = this.images.get(index);
    if (known) return known;
    const image = parser.getDependency("bufferView", images[index]?.bufferView ?? -1).then((bytes) => this.decoded(bytes as ArrayBuffer));
    this.images.set(index, image);
    return image;
  }

  private async decoded(bytes: ArrayBuffer): Promise<ImageBitmap> {
    const size = imageSize(bytes);
    if (!size || Math.max(size.width, size.height) > maxImageSide) throw new Error("the image is neither PNG nor JPEG, or too large");
    const share = Math.min(1, maxTextureSide / Math.max(size.width, size.height));
    if (this.isDisposed) throw new Error("nobody waits for it any more");
    return createImageBitmap(new Blob([bytes]), {
      colorSpaceConversion: "none",
      premultiplyAlpha: "none",
      resizeWidth: Math.max(1, Math.round(size.width * share)),
      resizeHeight: Math.max(1, Math.round(size.height * share)),
    });
  }

  /** Frees all images, those that are still being decoded when they are. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    for (const image of this.images.values()) image.then((each) => each.close()).catch(() => {});
  }
}

function drawnTextures({ materials = [] }: Document): ReadonlySet<number> {
  const infos = materials.flatMap(({ pbrMetallicRoughness: surface, emissiveTexture }) => [
    surface?.baseColorTexture,
    surface?.metallicRoughnessTexture,
    emissiveTexture,
  ]);
  return new Set(infos.flatMap((info) => (info ? [info.index] : [])));
}
