import type { VariableTypes } from '../shared/conditions/expression.ts';

/** Variables of rule conditions. */
export interface Variables {
  readonly params: Readonly<Record<string, unknown>>;
  readonly tool: string;
  readonly provider: string;
  readonly risk: string;
  readonly caller: string;
  readonly origin: string;
  readonly tags: readonly string[];
  readonly method?: string;
  readonly host?: string;
}

export const variableTypes: VariableTypes<Variables> = {
  params: 'map',
  tool: 'string',
  provider: 'string',
  risk: 'string',
  caller: 'string',
  origin: 'string',
  tags: 'list<string>',
  method: 'string',
  host: 'string',
};
