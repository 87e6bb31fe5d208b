import { bytesOf, type Picture } from './picture.js';

/** The pictures that are held, the one used longest ago first. */
export interface PictureMemory {
  find(path: string): Picture | undefined;
  /** Takes a picture in; the oldest that may go make room. @param mayGo whether a picture isn't needed now */
  hold(path: string, picture: Picture, mayGo: (path: string) => boolean): void;
  /** Makes a picture the newest. */
  touch(path: string): void;
}

/** A memory of so many bytes; what may not go is held beyond them. */
export function pictureMemory(mostBytes: number): PictureMemory {
  const held = new Map<string, Picture>();
  let bytes = 0;

  function drop(path: string): void {
    const picture = held.get(path);
    if (picture === undefined) return;
    bytes -= bytesOf(picture);
    held.delete(path);
    picture.image.close();
  }

  return {
    find: (path) => held.get(path),
    hold: (path, picture, mayGo) => {
      drop(path);
      held.set(path, picture);
      bytes += bytesOf(picture);
      for (const oldest of held.keys()) {
        if (bytes <= mostBytes) break;
        if (oldest !== path && mayGo(oldest)) drop(oldest);
      }
    },
    touch: (path) => {
      const picture = held.get(path);
      if (picture === undefined) return;
      held.delete(path);
      held.set(path, picture);
    },
  };
}
