import { didYouMean, type MaybeTool, type Registry, type Risk, riskLevels, ToolkitError } from '../../../kernel/index.ts';
import type { OutputSchemas } from '../exposure/listed-schemas.ts';
import { providerOf } from '../exposure/provider-of.ts';
import { decideToolAccess, type ToolAccess } from '../exposure/tool-access.ts';
import type { ModelOptions } from './model-options.ts';

type ModelToolSelection = Pick<ModelOptions, 'tools' | 'excludeTools' | 'providers' | 'tags' | 'maxRisk' | 'expose'>;

/**
 * Decides access to the selected tools. Throws CONFIG_INVALID for a name, provider or tag that no tool has: it would hide or open the
 * wrong tools. `current`: the registry of the moment.
 */
export function selectTools(
  { providers, tags, maxRisk = 'high', ...more }: ModelToolSelection,
  registry: Registry,
  outputSchemas: OutputSchemas,
  current: () => Registry = () => registry,
): ToolAccess {
  const all = [...registry.tools.values()];
  const tagsOf = ({ definition }: MaybeTool): readonly string[] => definition?.tags ?? [];
  refuseStrangers('providers', providers, new Set(all.map(providerOf)));
  refuseStrangers('tags', tags, new Set(all.flatMap(tagsOf)));
  const filter = (tool: MaybeTool): boolean => {
    // A refused definition has only a name.
    if (tool.definition === undefined || tool.risk === undefined) return false;
    return (
      (providers?.includes(providerOf(tool)) ?? true) &&
      (tags === undefined || tagsOf(tool).some((tag) => tags.includes(tag))) &&
      isAtMost(tool.risk, maxRisk)
    );
  };
  return decideToolAccess({ ...more, outputSchemas }, registry, filter, current);
}

function isAtMost(risk: Risk, maxRisk: Risk): boolean {
  return riskLevels.indexOf(risk) <= riskLevels.indexOf(maxRisk);
}

function refuseStrangers(option: string, given: readonly string[] | undefined, known: ReadonlySet<string>): void {
  const stray = given?.find((name) => !known.has(name));
  if (stray === undefined) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `"${stray}" in "${option}" matches no tool.${didYouMean(stray, [...known])} Correct it, or load what has it.`,
  );
}
