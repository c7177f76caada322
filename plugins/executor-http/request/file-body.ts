import { randomUUID } from 'node:crypto';
import nodePath from 'node:path';
import { type Lookup, renderText, renderValue } from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import { type FilePart, isFilePart, isValuePart } from '../definition/multipart.ts';
import { mediaTypeOf } from './media-type.ts';
import { type BodyPart, StreamedBody } from './streamed-body.ts';
import { describedParts, plainParts, requireMediaType } from './value-parts.ts';

interface FileBody {
  readonly body: StreamedBody | undefined;
  readonly contentType?: string;
}

/** A part of a multipart body, before it is written. */
interface FormPart {
  readonly name: string;
  readonly content: BodyPart;
  readonly fileName?: string;
  readonly type?: string;
}

/** Renders `multipart` or `body_file`; returns undefined where the request has neither. Throws INVALID_PARAMETERS. */
export async function renderFiles({ multipart, body_file: file }: HttpExecution, lookup: Lookup): Promise<FileBody | undefined> {
  if (file !== undefined) {
    const [path] = pathsOf(renderValue(file, lookup));
    return path === undefined ? { body: undefined } : { body: new StreamedBody([{ path }]), contentType: await mediaTypeOf(path) };
  }
  if (multipart === undefined) return undefined;
  const parts: FormPart[] = [];
  for (const [name, part] of Object.entries(multipart))
    if (isFilePart(part)) parts.push(...(await filesOf(name, part, lookup)));
    else parts.push(...(isValuePart(part) ? describedParts(name, part, lookup) : plainParts(name, renderValue(part, lookup))));
  // Random, so that the author of a file cannot end a part with it.
  const boundary = `toolkit-${randomUUID()}`;
  return { body: new StreamedBody(writeParts(parts, boundary)), contentType: `multipart/form-data; boundary=${boundary}` };
}

async function filesOf(name: string, { file, name: nameTemplate, type: typeTemplate }: FilePart, lookup: Lookup): Promise<FormPart[]> {
  const parts: FormPart[] = [];
  for (const path of pathsOf(renderValue(file, lookup))) {
    const fileName = (nameTemplate === undefined ? undefined : renderText(nameTemplate, lookup)) ?? nodePath.basename(path);
    const type = (typeTemplate === undefined ? undefined : renderText(typeTemplate, lookup)) ?? (await mediaTypeOf(fileName));
    parts.push({ name, content: { path }, fileName, type: requireMediaType(name, type) });
  }
  return parts;
}

function pathsOf(value: unknown): readonly string[] {
  return [value].flat().filter((path) => typeof path === 'string');
}

function writeParts(parts: readonly FormPart[], boundary: string): readonly BodyPart[] {
  const all = parts.flatMap(({ name, content, fileName, type }): BodyPart[] => {
    const file = fileName === undefined ? '' : `; filename="${quoteName(fileName)}"`;
    const typeLine = type === undefined ? '' : `\r\nContent-Type: ${type}`;
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoteName(name)}"${file}${typeLine}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ];
  });
  return [...all, Buffer.from(`--${boundary}--\r\n`)];
}

/**
 * Escapes a name as HTML does (multipart/form-data encoding algorithm), so that it cannot end its header. Other control
 * characters are escaped as well.
 */
function quoteName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll('"', '%22')
    .replaceAll(/\p{Cc}/gu, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);
}
