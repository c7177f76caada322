/**
 * Returns the places that one of several tenants may have: half of all, rounded up. A new tenant then finds a place where another tenant has
 * all that it may have, unless there is one place only.
 */
export function halfOfPlaces(places: number): number {
  return Math.ceil(places / 2);
}
