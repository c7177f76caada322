import type { Severity, TextFinding } from '../finding.ts';
import { passage } from './passage.ts';

interface Mark {
  readonly severity: Severity;
  readonly message: string;
  readonly pattern: RegExp;
}

const names =
  'important|system|secret|instructions?|hidden|admin|override|assistant|critical|urgent|developer|sys|prompt|attention|mandatory|ai';

/** True for a mark that is only named: "in formats such as [INST], …". */
function isNamed(text: string, start: number, end: number): boolean {
  return (
    /\b(?:such as|like|e\.g\.|for example|namely|and|or),?\s$/.test(text.slice(Math.max(0, start - 16), start)) &&
    /^(?:\s(?:and|or)\b|[,.;)]|$)/.test(text.slice(end, end + 5))
  );
}

const marks: readonly Mark[] = [
  {
    severity: 'hard',
    message: 'It has delimiters of a chat, which end the description for a model.',
    pattern:
      /<\|(?:im_start|start_header_id)\|>\s{0,4}(?:system|user|assistant|developer)|<\|(?:system|user|assistant)\|>|\[INST\]|<<SYS>>/g,
  },
  {
    severity: 'warning',
    message: 'It has a tag that makes it look like an order to the model.',
    pattern: new RegExp(
      `(?<!<|</(?:p|ul|ol)>\\s{0,4})<\\s{0,3}/?\\s{0,3}(?:${names})(?:[_-][a-z]{1,20})?\\s{0,3}>(?!\\s{0,3}<(?:p|ul|ol|note)\\b)`,
      'gi',
    ),
  },
  {
    severity: 'warning',
    message: 'It claims to be a message of the system.',
    pattern:
      /(?:^|[.!?\n]\s{0,8})(?:SYSTEM|\[SYSTEM\]|\[(?:ASSISTANT|AI|SYSTEM|MODEL|LLM|AGENT)[^\]\n]{0,40}(?:INSTRUCTIONS?|MESSAGE|PROMPT|NOTE)\b\]?)\s{0,2}:|#{2,6}\s{0,3}(?:NEW\s|URGENT\s)?(?:SYSTEM|ADMIN|ASSISTANT)(?:\s(?:MESSAGE|PROMPT|INSTRUCTIONS?|NOTE|OVERRIDE))?\s{0,3}(?:#{2,6}|:|\n)|\{\{\s{0,3}system\s{0,3}:/g,
  },
  {
    severity: 'warning',
    message: 'It passes for a part of the conversation.',
    pattern: /(?:^|\n)\s{0,4}(?:user|human|assistant|system)\s?:[^\n]{0,400}\n\s{0,4}(?:user|human|assistant)\s?:/gi,
  },
  {
    severity: 'warning',
    message: 'It claims that the description ends before its end.',
    pattern: /(?:-{3}|={3}|#{3})\s{0,3}end of (?:the )?(?:tool |system )?(?:description|prompt|instructions?|tool)\b/gi,
  },
];

/** Finds markup with which a text passes for an order to the model. */
export function modelMarkup(text: string): readonly TextFinding[] {
  if (!/[<[#{:]/.test(text)) return [];
  return marks.flatMap(({ severity, message, pattern }) => {
    const found = [...text.matchAll(pattern)].find(({ 0: mark, index }) => !isNamed(text, index, index + mark.length));
    if (found === undefined) return [];
    return [{ severity, kind: 'model markup' as const, message, excerpt: passage(text, found.index, found.index + found[0].length) }];
  });
}
