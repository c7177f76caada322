import { useEffect, useRef } from 'preact/hooks';
import { type Command, commandOf } from '../keyboard.ts';

/** Listens for commands of the keyboard while no dialog is open. A handler that returns false leaves the key to the browser. */
export function useCommands(handlers: Partial<Readonly<Record<Command, (event: KeyboardEvent) => boolean | undefined>>>): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      const command = commandOf(event, event.target instanceof HTMLElement ? event.target : undefined);
      const handler = command === undefined ? undefined : latest.current[command];
      if (handler !== undefined && handler(event) !== false) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
