/** The bounds of ratios by name: those recorded, beyond which a ratio is worse than noise explains. */
export type Floors = Record<string, { min: number } | { max: number }>;

/** A sentence for each ratio that was measured and is beyond its bound. */
export function findFallen(floors: Floors, ratios: Record<string, number>): string[] {
  return Object.entries(floors).flatMap(([name, floor]) => {
    const ratio = ratios[name];
    if (ratio === undefined) return [];
    if ('min' in floor && !(ratio >= floor.min))
      return [`${name} is ${ratio.toFixed(2)}, below its floor of ${floor.min}`];
    if ('max' in floor && !(ratio <= floor.max))
      return [`${name} is ${ratio.toFixed(2)}, above its limit of ${floor.max}`];
    return [];
  });
}
