import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { newPlugin } from './new-plugin.ts';
import { newProvider } from './new-provider.ts';
import { newTool } from './new-tool.ts';

/** Adds `toolkit new tool`, `new provider` and `new plugin`, which write files to begin with: they work, and say what each part is for. */
export const newFiles = definePlugin({ name: 'new-files', apiVersion, commands: [newTool, newProvider, newPlugin], apply() {} });
