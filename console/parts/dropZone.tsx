import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icons.js';

interface DropZoneProps {
  readonly text: string;
  /** File names' ends and types, as inputs take them. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

/** A file is dropped here, or chosen: by pointer, and by the keyboard through the input below it. */
export function DropZone({ text, accept, onFile }: DropZoneProps): JSX.Element {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      class={`drop-zone${isOver ? ' drop-zone-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={drop}
    >
      <Icon name="plus" />
      <span>{text}</span>
      <input
        type="file"
        class="hidden"
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
