const radians = Math.PI / 180;
/** For plants, the day begins and ends with the sun this far below the horizon, degrees. */
const sunAngleDegrees = -4;

/**
 * Hours with the sun less than 4° below the horizon.
 *
 * @param latitude degrees, north positive
 * @param dayOfYear 1–366
 * @see Goudriaan & van Laar (1994), section 3.2, for the declination
 */
export function photoperiodHours(latitude: number, dayOfYear: number): number {
  const declination = -Math.asin(Math.sin(23.45 * radians) * Math.cos((2 * Math.PI * (dayOfYear + 10)) / 365));
  const sines = Math.sin(latitude * radians) * Math.sin(declination);
  const cosines = Math.cos(latitude * radians) * Math.cos(declination);
  const ratio = (Math.sin(sunAngleDegrees * radians) - sines) / cosines;
  return (24 / Math.PI) * Math.acos(Math.min(1, Math.max(-1, ratio)));
}
