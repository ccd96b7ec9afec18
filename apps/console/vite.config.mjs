// The console as static files: no inline scripts or styles (the gateway's Content-Security-Policy forbids both), nothing
// fetched from elsewhere, and hashed names so that browsers may keep them.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Mantine marks each of its modules for servers that render React, and the bundler warns about each; errors are still
  // shown.
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
});
