import { useEffect, useState } from "react";

/** Takes files dropped anywhere on the window, as people don't aim; answers whether some are held over it. */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal };
    // Each element under the pointer is entered and left by itself.
    let depth = 0;
    const count = (event: DragEvent, step: number) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth + step);
      setIsOver(depth > 0);
    };
    window.addEventListener("dragenter", (event) => count(event, 1), options);
    window.addEventListener("dragleave", (event) => count(event, -1), options);
    window.addEventListener(
      "dragover",
      (event) => {
        // Else the browser would open the file in the chat's place.
        if (hasFiles(event)) event.preventDefault();
      },
      options,
    );
    window.addEventListener(
      "drop",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth = 0;
        setIsOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      },
      options,
    );
    return () => stop.abort();
  }, [onFiles]);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}
