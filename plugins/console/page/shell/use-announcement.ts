import { useCallback, useState } from 'preact/hooks';

/** Holds the text of the live region. The same text twice is said twice: a space at its end makes it another one. */
export function useAnnouncement(): readonly [text: string, announce: (text: string) => void] {
  const [text, setText] = useState('');
  const announce = useCallback((next: string) => setText((before) => (before === next ? `${next} ` : next)), []);
  return [text, announce];
}
