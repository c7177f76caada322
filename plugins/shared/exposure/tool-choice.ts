import type { Risk, Tool } from '../../../kernel/index.ts';
import { providerOf } from './provider-of.ts';

/** Which tools are looked at. @default all */
export interface ToolChoice {
  /** `core` for the built-in tools, `none` for those without a provider. */
  readonly provider?: string;
  readonly risk?: Risk;
}

export function isChosen(tool: Tool, { provider, risk: level }: ToolChoice): boolean {
  return (provider ?? providerOf(tool)) === providerOf(tool) && (level ?? tool.risk) === tool.risk;
}
