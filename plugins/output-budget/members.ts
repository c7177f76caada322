import { pointerSegments } from '../../kernel/index.ts';

/** Returns the segments of a member as `continues` names it: by its name, or by a pointer. */
export function segmentsOf(member: string): readonly string[] {
  return member.startsWith('/') ? pointerSegments(member) : [member];
}
