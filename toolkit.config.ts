import { defineConfig, mcp, standard } from '@toolkit/core';

/** The defaults, spelled out: every tool, over stdio. A project of your own starts with a copy of this file. */
export default defineConfig({
  plugins: [standard(), mcp()],
});
