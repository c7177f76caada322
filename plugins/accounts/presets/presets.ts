import type { DiscoverSink, ProviderDefinition } from '../../../kernel/index.ts';
import { atlassian } from './atlassian.ts';
import { discord } from './discord.ts';
import { dropbox } from './dropbox.ts';
import { figma } from './figma.ts';
import { gitlab } from './gitlab.ts';
import { google } from './google.ts';
import { linear } from './linear.ts';
import { microsoft } from './microsoft.ts';
import { salesforce } from './salesforce.ts';
import { zoom } from './zoom.ts';

/** Providers without tools: a person logs in to them for tools of their own, of a document or of a package. */
export const presets: readonly ProviderDefinition[] = [
  ...[atlassian, discord, dropbox, figma, gitlab],
  ...[google, linear, microsoft, salesforce, zoom],
];

/** Adds the presets. A provider of the same name from anywhere else takes their place. */
export function addPresets(sink: DiscoverSink): void {
  for (const definition of presets) sink.addProvider(definition, { trust: 'package', isPreset: true });
}
