import { FilePen, FilePlus2, Files, FileSearch, FileText } from "lucide-react";
import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const listArtifacts: Partial<ToolPresenter> = {
  name: "List artifacts",
  icon: Files,
  phrases: () => ({ doing: "Listing artifacts", done: "Listed artifacts", infinitive: "list your artifacts", about: null }),
};

export const readArtifact: Partial<ToolPresenter> = {
  name: "Read an artifact",
  icon: FileText,
  phrases: () => ({ doing: "Reading an artifact", done: "Read an artifact", infinitive: "read an artifact", about: null }),
};

export const createArtifact: Partial<ToolPresenter> = {
  name: "Create an artifact",
  icon: FilePlus2,
  phrases: ({ input }) => ({
    doing: "Writing an artifact",
    done: "Created an artifact",
    infinitive: "create an artifact",
    about: firstText(input, "title"),
  }),
};

export const copyArtifact: Partial<ToolPresenter> = {
  name: "Copy an artifact",
  icon: Files,
  phrases: ({ input }) => ({
    doing: "Copying an artifact",
    done: "Copied an artifact",
    infinitive: "copy an artifact",
    about: firstText(input, "title"),
  }),
};

export const editArtifact: Partial<ToolPresenter> = {
  name: "Edit an artifact",
  icon: FilePen,
  phrases: () => ({ doing: "Editing an artifact", done: "Edited an artifact", infinitive: "edit an artifact", about: null }),
};

export const searchArtifacts: Partial<ToolPresenter> = {
  name: "Search artifacts",
  icon: FileSearch,
  phrases: ({ input }) => ({
    doing: "Searching artifacts",
    done: "Searched artifacts",
    infinitive: "search your artifacts",
    about: firstText(input, "query"),
  }),
};
