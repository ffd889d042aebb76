interface Disposable {
  dispose(): void;
}

/** What has to be freed together, the newest first; also when only some of it came to be. */
export class Owned {
  private readonly all: Disposable[] = [];

  own<Thing extends Disposable>(thing: Thing): Thing {
    this.all.push(thing);
    return thing;
  }

  dispose(): void {
    for (const thing of this.all.splice(0).reverse()) thing.dispose();
  }
}
