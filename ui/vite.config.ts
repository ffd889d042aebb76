import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  // The Tauri tool opens exactly this address under `tauri dev`.
  // The viewport's shaders are those of the crate that draws cards and videos.
  server: { port: 1420, strictPort: true, fs: { allow: [".."] } },
  // The oldest web view the window runs in is WebKit of Safari 16's age.
  build: { target: "safari16", outDir: "dist", emptyOutDir: true },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts"],
    setupFiles: ["src/app/test-timers.ts"],
    // A machine that builds at the same time is slow, not wrong.
    testTimeout: 60_000,
  },
});
