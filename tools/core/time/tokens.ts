import type { ToolkitError } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';

/** Tokens for one part of a time, for both formatting and parsing (luxon). */
const parts =
  'G GG y yy yyyy yyyyyy M MM MMM MMMM L LL LLL LLLL d dd o ooo H HH h hh m mm s ss S SSS u uu uuu a q qq kk kkkk W WW E EEE EEEE c ccc cccc Z ZZ ZZZ z';
const onlyWritten = 'GGGGG MMMMM LLLLL EEEEE ccccc ZZZZ ZZZZZ n nn ii iiii X x';
/** Tokens for a whole date, a whole time, or both. */
const wholeDates = 'D DD DDD DDDD';
const wholeTimes = 't tt ttt tttt T TT TTT TTTT';
const wholeBoth = 'f ff fff ffff F FF FFF FFFF';

const readTokens = new Set([parts, wholeDates, wholeTimes, wholeBoth].join(' ').split(' '));
const writeTokens = new Set([...readTokens, ...onlyWritten.split(' ')]);

/**
 * Throws INVALID_PARAMETERS for letters that are no token, which luxon would print unchanged, and for tokens of a whole date or time beside
 * tokens of parts of one: these belong to other libraries, or are text without quotes.
 */
export function checkTokens(format: string, use: 'write' | 'read'): void {
  const tokens = tokensOf(format);
  const known = use === 'write' ? writeTokens : readTokens;
  const unknown = tokens.find((token) => !known.has(token));
  if (unknown !== undefined) throw badFormat(`expected tokens of luxon, received "${unknown}"`);
  const whole = tokens.find((token) => /^[DFfTt]/.test(token) && tokens.some((other) => clashes(token, other)));
  if (whole !== undefined)
    throw badFormat(`expected no other date or time tokens beside "${whole}", which stands for a whole date or time`);
  const twice = tokens.find((token, index) => tokens.indexOf(token) !== index);
  // luxon would try many of one kind in a row in every combination.
  if (use === 'read' && twice !== undefined) throw badFormat(`expected each token once, received "${twice}" twice`);
}

/** Returns the runs of one letter outside single quotes. */
function tokensOf(format: string): readonly string[] {
  if (format.split("'").length % 2 === 0) throw badFormat('expected single quotes in pairs');
  return format.replace(/'[^']*'/g, ' ').match(/([a-z])\1*/gi) ?? [];
}

function clashes(whole: string, other: string): boolean {
  return (/^[DFf]/.test(whole) && /^[yMLd]/.test(other)) || (/^[TtFf]/.test(whole) && /^[Hhm]/.test(other));
}

function badFormat(message: string): ToolkitError {
  const advice =
    "Year yyyy, month MM, day dd, hour HH, minute mm, second ss; other letters stand in single quotes, as in yyyy-MM-dd'T'HH:mm.";
  return invalidParameter('format', message, advice);
}
