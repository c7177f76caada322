import { asText, type Encoding, refuseValue, ToolkitError } from '../../kernel/index.ts';

/** The built-in names for `parameter_encoding`. One source is encoded as it is, several as an object of their names. */
export const encodings: Readonly<Record<string, Encoding>> = {
  mime_rfc2822_base64url: mimeMessage,
  json_compact: (values) => JSON.stringify(single(values)),
  url_encoded: (values) =>
    new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, asText(value)])).toString(),
  base64: (values) => Buffer.from(asText(single(values)), 'utf8').toString('base64'),
  /** One line of RFC 4180; `options.separator`, default a comma. */
  csv: (values, { separator = ',' }) =>
    Object.values(values)
      .flat()
      .map((value) => csvField(asText(value), String(separator)))
      .join(String(separator)),
};

function single(values: Readonly<Record<string, unknown>>): unknown {
  const members = Object.values(values);
  return members.length === 1 ? members[0] : values;
}

function csvField(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const mailFields = ['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'text', 'html', 'in_reply_to', 'references', 'attachments'] as const;

/**
 * An e-mail message (RFC 5322) as base64url without padding. Sources: from, to, cc, bcc, reply_to, subject, text, html, in_reply_to,
 * references, attachments (`[{filename, content_base64, content_type}]`); `options.fields` maps other parameter names onto these.
 */
async function mimeMessage(values: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>>): Promise<string> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer' as string);
  const renamed = (options['fields'] ?? {}) as Readonly<Record<string, string>>;
  const mail: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = renamed[name] ?? name;
    if (!(mailFields as readonly string[]).includes(field)) {
      throw new ToolkitError(
        'TOOL_INVALID',
        `parameter_encoding mime_rfc2822_base64url has no field for the source "${name}". Expected one of ${mailFields.join(', ')}; map others with options.fields.`,
      );
    }
    if (field !== 'text' && field !== 'html' && typeof value === 'string' && /[\r\n]/.test(value))
      refuseValue(name, 'a value without line breaks, because it is part of a mail header');
    mail[field] = value;
  }
  const { reply_to: replyTo, in_reply_to: inReplyTo, attachments, ...rest } = mail;
  const files = ((attachments ?? []) as { filename?: string; content_base64: string; content_type?: string }[]).map((file) => ({
    filename: file.filename,
    content: Buffer.from(file.content_base64, 'base64'),
    contentType: file.content_type,
  }));
  const message: Buffer = await new MailComposer({
    ...rest,
    replyTo,
    inReplyTo,
    attachments: files,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return message.toString('base64url');
}
