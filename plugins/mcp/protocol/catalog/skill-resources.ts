import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type Kernel,
  type Resource,
  type ResourceContent,
  type ResourceTemplate,
  type Skill,
  ToolkitError,
} from '../../../../kernel/index.ts';
import { strictUtf8 } from '../../../shared/text/utf8.ts';

/** Readable folders of a skill (Agent Skills specification). Outside them only SKILL.md is readable. */
const readableFolders = ['assets', 'references', 'scripts'];

const maxFileBytes = 4 * 1024 * 1024;

const markdown = 'text/markdown';

const mimeTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.md': markdown,
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

export function skillUri({ name }: Pick<Skill, 'name'>): string {
  return `skill://${name}/SKILL.md`;
}

/** Reads the current readable files of a skill, without its SKILL.md. */
export async function skillFiles(skill: Skill): Promise<readonly { readonly uri: string; readonly bytes: Uint8Array }[]> {
  const { directory } = skill.origin;
  const read = async (filePath: string) => {
    const file = directory === undefined ? undefined : await readableFile(directory, filePath);
    const isSmall = file !== undefined && (await stat(file)).size <= maxFileBytes;
    return isSmall ? [{ uri: `skill://${skill.name}/${filePath}`, bytes: await readFile(file) }] : [];
  };
  return (await Promise.all((await filesOf(directory)).map(read))).flat();
}

/** Returns a skill as a resource: `skill://<name>/SKILL.md`. A reload notifies subscribers when its text changed. */
export function skillResource(skill: Skill, kernel: Kernel): Resource {
  const uri = skillUri(skill);
  return {
    uri,
    name: skill.name,
    title: `Skill: ${skill.name}`,
    description: skill.description,
    mimeType: markdown,
    size: Buffer.byteLength(skill.text),
    read: () => ({ uri, mimeType: markdown, text: skill.text }),
    watch: (changed) =>
      kernel.onReload(({ skills }) => {
        if (skills.get(skill.name)?.text !== skill.text) changed();
      }),
  };
}

/** Returns the template for the files of skills: `skill://<name>/references/guide.md`. */
export function skillFileTemplate(skills: readonly Skill[]): ResourceTemplate {
  const folderOf = (name: string | undefined): string | undefined => skills.find((skill) => skill.name === name)?.origin.directory;
  return {
    uriTemplate: 'skill://{name}/{+path}',
    name: 'skill-file',
    title: 'File of a skill',
    description: `A file that a skill refers to, in its folders ${readableFolders.join(', ')}.`,
    async read(uri, { name, path: filePath = '' }) {
      const folder = folderOf(name);
      const file = folder === undefined ? undefined : await readableFile(folder, filePath);
      return file === undefined ? undefined : contentOf(uri, file);
    },
    complete: {
      name: (typed) => skills.map((skill) => skill.name).filter((name) => name.startsWith(typed)),
      path: async (typed, { name }) => (await filesOf(folderOf(name))).filter((filePath) => filePath.startsWith(typed)),
    },
  };
}

/** Finds a file by its path inside a skill. Returns undefined for a missing file, or a symbolic link out of the readable folders. */
async function readableFile(folder: string, filePath: string): Promise<string | undefined> {
  const [first = '', ...rest] = filePath.split('/');
  if (!readableFolders.includes(first) || rest.length === 0 || rest.some((segment) => segment === '' || segment.startsWith('.')))
    return undefined;
  try {
    const root = path.join(await realpath(folder), first);
    const file = await realpath(path.join(root, ...rest));
    return file.startsWith(root + path.sep) && (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

async function contentOf(uri: string, file: string): Promise<ResourceContent> {
  const { size } = await stat(file);
  if (size > maxFileBytes)
    throw new ToolkitError('OUTPUT_TOO_LARGE', `The file ${uri} has ${size} bytes; at most ${maxFileBytes} are given.`);
  const bytes = await readFile(file);
  const mimeType = mimeTypes[path.extname(file).toLowerCase()];
  const text = bytes.includes(0) ? undefined : strictUtf8(bytes);
  if (text !== undefined) return { uri, mimeType: mimeType ?? 'text/plain', text };
  return { uri, mimeType: mimeType ?? 'application/octet-stream', blob: bytes.toString('base64') };
}

async function filesOf(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  const files = await Promise.all(
    readableFolders.map(async (name) => {
      const entries = await readdir(path.join(folder, name), { recursive: true, withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    }),
  );
  const paths = files.flat().map((file) => file.split(path.sep).join('/'));
  const resolved = await Promise.all(paths.map((filePath) => readableFile(folder, filePath)));
  return paths.filter((_, index) => resolved[index] !== undefined).sort();
}
