import { asText, type Call, excerpt, type Issue, type Parameter, parseTemplate, type Tool } from '../../kernel/index.ts';
import { declarationOf, endsOptions, mayBeOption, mayItemBeOption, refuseOption } from '../shared/process/program-options.ts';
import type { CommandExecution } from './execution.ts';

type DeclaredTool = Pick<Tool, 'definition' | 'parameters' | 'credentials'>;

/** Throws INVALID_PARAMETERS where an argument begins with a `-` that comes from the caller and not from the definition. */
export function refuseOptions(template: string, program: string, { tool, parameters, credentials }: Call): void {
  const shown = `"${excerpt(program, 60)}"`;
  for (const part of parseTemplate(template)) {
    // Text of the definition's author, or of the operator's configuration, may begin an argument with anything.
    if (typeof part === 'string' || credentials.get(part.name) !== undefined) return;
    const { name } = part;
    const value = parameters[name];
    const declared = declarationOf(tool, name);
    if (Array.isArray(value) && template === `{${name}}`) {
      for (const [index, item] of value.entries())
        if (asText(item).startsWith('-') && !mayItemBeOption(item, value, declared))
          refuseOption(asText(item), `${name}[${index}]`, tool, shown);
      return;
    }
    const text = asText(value);
    if (text.startsWith('-') && !mayBeOption(value, declared)) refuseOption(text, name, tool, shown);
    if (text !== '') return;
  }
}

/** Warns the author about arguments that begin with a caller's value and have nothing that keeps it from being an option. */
export function findOpenArguments({ args = [] }: CommandExecution, tool: DeclaredTool): readonly Issue[] {
  const issues: Issue[] = [];
  for (const [index, argument] of args.entries())
    for (const [inner, template] of [argument].flat().entries()) {
      if (endsOptions(template)) return issues;
      const [first] = parseTemplate(template);
      if (first === undefined || typeof first === 'string' || !isOptionRisk(first.name, tool)) continue;
      const position = Array.isArray(argument) ? `${index}/${inner}` : `${index}`;
      const message = `begins with {${first.name}}: a value that begins with "-" is refused, because the program would take it for an option. Write "--" before it where the program knows that, or --name={${first.name}}, or say "options: true" in the parameter`;
      issues.push({ path: `args.${position.replace('/', '.')}`, pointer: `/args/${position}`, message, severity: 'warning' });
    }
  return issues;
}

/** True for a text of the caller that is not limited to a few values. Not for a path: the program gets it in absolute form. */
function isOptionRisk(name: string, tool: DeclaredTool): boolean {
  if (tool.credentials.some((need) => need.name === name)) return false;
  const declared = declarationOf(tool, name);
  const { type, enum: values, fixed } = (declared.items ?? declared) as Parameter;
  const isText = type === undefined || [type].flat().some((each) => each === 'string' || each === 'array');
  const isExempt = declared.options === true || declared.path !== undefined || declared.fixed === true || fixed === true;
  return isText && values === undefined && !isExempt;
}
