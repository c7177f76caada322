import { type LoadedConfig, loadConfig } from './load-config.ts';

/** Loads a configuration in which `import … from 'toolkit'` gives this very copy. */
export async function loadToolkitConfig(cwd: string, file?: string, onLoad?: (file: string) => void): Promise<LoadedConfig | undefined> {
  const modules = {
    'toolkit/standard': await import('../standard.ts'),
    toolkit: await import('../index.ts'),
    'toolkit/kernel': await import('../../../kernel/index.ts'),
    'toolkit/testing': await import('../testing.ts'),
  };
  return loadConfig({ cwd, modules, ...(file === undefined ? {} : { file }), ...(onLoad === undefined ? {} : { onLoad }) });
}
