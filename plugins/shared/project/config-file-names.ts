/** Names of a configuration file, in search order. */
export const configFileNames = [
  'toolkit.config.ts',
  'toolkit.config.js',
  'toolkit.config.mjs',
  'toolkit.config.cjs',
  'toolkit.config.json',
  'toolkit.config.yaml',
  'toolkit.config.yml',
  '.toolkitrc',
  'package.json',
] as const;
