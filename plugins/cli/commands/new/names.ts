import { kebabCase, snakeCase } from 'change-case';

/** Maximum length, as in the schema of tool definitions. */
const maxToolName = 64;

/** Maximum length. Leaves room for the parts that tool and file names add. */
const maxFolderName = 40;

/** Words that YAML does not read as text. */
const yamlKeywords = /^(true|false|null)$/;

/** Returns the problem of a tool name and a suggestion; undefined for a valid name. */
export function problemOfToolName(name: string): string | undefined {
  if (yamlKeywords.test(name)) return 'is a word that means something else in YAML. Choose another one';
  if (/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
    return name.length <= maxToolName ? undefined : `has ${name.length} characters, and ${maxToolName} are allowed`;
  return wrong('snake_case: small letters, digits and _, such as shop_get_order', snakeCase(name), problemOfToolName);
}

/** Returns the problem of a provider or plugin name, which is also that of a folder and a package. */
export function problemOfFolderName(name: string): string | undefined {
  if (yamlKeywords.test(name)) return 'is a word that means something else in YAML. Choose another one';
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return name.length <= maxFolderName ? undefined : `has ${name.length} characters, and ${maxFolderName} are allowed`;
  return wrong('small letters, digits and hyphens, beginning with a letter, such as my-shop', kebabCase(name), problemOfFolderName);
}

function wrong(expected: string, instead: string, problemOf: (name: string) => string | undefined): string {
  const isBetter = /^[a-z]/.test(instead) && /^[a-z0-9_-]+$/.test(instead) && problemOf(instead) === undefined;
  return `is not ${expected}${isBetter ? `. Write "${instead}"` : ''}`;
}
