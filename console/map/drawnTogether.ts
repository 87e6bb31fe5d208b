/**
 * All canvases of the map as one, in the order in which they lie above each other. Without tiles and base: a canvas with
 * images of another origin becomes no file, and names of towns would need their credit in each picture.
 */
export function drawnTogether(map: HTMLElement, ground: string): HTMLCanvasElement {
  const { width, height, left, top } = map.getBoundingClientRect();
  const ratio = window.devicePixelRatio;
  const picture = document.createElement('canvas');
  [picture.width, picture.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const context = picture.getContext('2d');
  if (context === null) return picture;
  context.fillStyle = ground;
  context.fillRect(0, 0, picture.width, picture.height);
  for (const canvas of map.querySelectorAll<HTMLCanvasElement>(':not(.map-tiles, .map-base) > canvas')) {
    const box = canvas.getBoundingClientRect();
    if (canvas.width === 0 || canvas.height === 0 || box.width === 0) continue;
    const layer = canvas.parentElement;
    context.globalAlpha = Number(layer === null ? 1 : getComputedStyle(layer).opacity);
    context.drawImage(
      canvas,
      (box.left - left) * ratio,
      (box.top - top) * ratio,
      box.width * ratio,
      box.height * ratio,
    );
  }
  context.globalAlpha = 1;
  return picture;
}
