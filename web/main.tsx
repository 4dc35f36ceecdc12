import { createRoot } from "react-dom/client";
import { readArrival } from "./features/arrival/arrival.ts";
import { App } from "./router.tsx";
import "./styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");
readArrival();
createRoot(root).render(<App />);
