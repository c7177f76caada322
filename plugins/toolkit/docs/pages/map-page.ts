import { page, table } from '../markdown.ts';
import { areas, folders } from '../where-is.ts';

/** The map of the source: questions with the file that answers each, and the folders. */
export function mapPage(): string {
  const questions = areas.flatMap(({ title, places }) => [
    `## ${title}`,
    table(
      ['where is …', 'file'],
      Object.entries(places).map(([question, file]) => [question, `\`${file}\``]),
    ),
  ]);
  return page(
    '# Where is what',
    'The source, by the question that leads to a file. [CONTRIBUTING.md](../../../CONTRIBUTING.md) has the recipes and the path of a call. The rows are in `plugins/toolkit/docs/where-is.ts`; `npm run docs` writes this page.',
    ...questions,
    '## Folders',
    table(
      ['folder', 'content'],
      Object.entries(folders).map(([folder, content]) => [`\`${folder}\``, content]),
    ),
  );
}
