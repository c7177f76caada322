/** The member of a document or overlay with settings for this program. */
export const settingsName = 'x-toolkit';

/** The document's own settings, by the object that had them. */
export type OwnSettings = WeakMap<object, unknown>;

/** Takes `x-toolkit` out of an object, so that one that is there afterwards comes from the overlay. */
export function takeSettings(object: Record<string, unknown>, settings: OwnSettings): void {
  if (!Object.hasOwn(object, settingsName)) return;
  settings.set(object, object[settingsName]);
  delete object[settingsName];
}
