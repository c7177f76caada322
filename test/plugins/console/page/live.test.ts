import { expect } from 'chai';
import { createLive, type EventStream } from '../../../../plugins/console/page/live.ts';

class TestStream implements EventStream {
  onopen: EventStream['onopen'] = null;
  onerror: EventStream['onerror'] = null;
  readyState = 1;
  readonly listeners = new Map<string, () => void>();

  addEventListener(name: string, listener: () => void): void {
    this.listeners.set(name, listener);
  }

  close(): void {
    this.readyState = 2;
  }
}

describe('the live connection of the page', () => {
  const opened = (): { streams: TestStream[]; delays: number[]; retry: () => void; live: ReturnType<typeof createLive> } => {
    const streams: TestStream[] = [];
    const delays: number[] = [];
    let again = (): void => {};
    const live = createLive({
      open: () => {
        streams.push(new TestStream());
        return streams.at(-1) as TestStream;
      },
      later: (run, delayMs) => {
        delays.push(delayMs);
        again = run;
        return () => {};
      },
    });
    return { streams, delays, retry: () => again(), live };
  };
  const event = {} as Event;

  it('passes events on until a listener ends', () => {
    const { streams, live } = opened();
    let count = 0;
    const end = live.on('approvals', () => count++);
    streams[0]?.listeners.get('approvals')?.();
    end();
    streams[0]?.listeners.get('approvals')?.();
    expect(count).to.equal(1);
  });

  it('reads everything again after each connection, because events may have been missed', () => {
    const { streams, live } = opened();
    const events: string[] = [];
    for (const name of ['approvals', 'calls', 'session'] as const) live.on(name, () => events.push(name));
    streams[0]?.onopen?.(event);
    expect(events).to.deep.equal(['approvals', 'calls']);
    streams[0]?.onerror?.(event);
    streams[0]?.onopen?.(event);
    expect(events).to.deep.equal(['approvals', 'calls', 'approvals', 'calls']);
  });

  it('opens a closed stream again, later each time', () => {
    const { streams, delays, retry } = opened();
    for (let round = 0; round < 6; round++) {
      const stream = streams.at(-1);
      stream?.close();
      stream?.onerror?.(event);
      retry();
    }
    expect(streams).to.have.length(7);
    expect(delays).to.deep.equal([1000, 2000, 4000, 8000, 15_000, 15_000]);
  });

  it('says when it is lost and made', () => {
    const { streams, live } = opened();
    const states: boolean[] = [];
    live.onState((isOnline) => states.push(isOnline));
    streams[0]?.onopen?.(event);
    streams[0]?.onerror?.(event);
    expect(states).to.deep.equal([true, false]);
  });
});
