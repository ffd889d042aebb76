/** The longest time for which the page is blocked. */
const sliceMs = 8;

/** Does work piece by piece, and lets the page draw and respond in between. */
export async function inSlices<ResultSegment>(count: number, work: (at: number) => ResultSegment, cancelled: AbortSignal): Promise<ResultSegment[]> {
  const done: ResultSegment[] = [];
  let end = performance.now() + sliceMs;
  while (done.length < count) {
    if (performance.now() >= end) {
      await breath();
      end = performance.now() + sliceMs;
    }
    cancelled.throwIfAborted();
    done.push(work(done.length));
  }
  return done;
}

/** Yields to pending tasks. Unlike timers, messages are neither throttled nor suspended. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
