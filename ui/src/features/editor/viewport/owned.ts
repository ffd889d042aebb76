interface Disposable {
  dispose(): void;
}

/** Disposes of resources together, in reverse order, also when only some were created. */
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
