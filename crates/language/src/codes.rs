//! The registry of diagnostic codes.
//!
//! A code is for life: messages may be reworded, codes keep their meaning. Adding one is one line here.

use super::diagnostic::Severity;

macro_rules! codes {
    ($($id:literal $name:ident $severity:ident $title:literal;)*) => {
        /// The stable code of a diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Code {
            $(#[doc = concat!("`", $id, "`: ", $title)] $name,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// `E001`, `W001`, …
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $id),* }
            }

            /// What the code stands for, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title),* }
            }

            /// Whether it is an error or a warning.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity),* }
            }
        }
    };
}

codes! {
    // Files and text
    "E001" UnreadableFile Error "the file cannot be read";
    "E002" UnknownFormat Error "the file's format is not known";
    "E003" MalformedXml Error "the XML is not well formed";
    "E004" MissingElement Error "a required element or attribute is missing";
    "E005" UnexpectedCharacter Error "a character that no token starts with";
    "E006" UnterminatedComment Error "a comment or string without an end";
    "E007" NumberTooLarge Error "a number that does not fit into 32 bits";
    "E008" UnexpectedToken Error "something else was expected here";
    "E009" NestingTooDeep Error "nested too deeply";
    "E010" NotExpressible Error "cannot be expressed in the output format";
    // Names
    "E020" UnknownName Error "a name that is not declared";
    "E021" DuplicateName Error "a name that is declared twice";
    "E022" NotAType Error "a name that is no type";
    "E023" NotAValue Error "a name that is no value";
    "E024" UnknownMember Error "no such field, location or variable";
    "E025" NoMembers Error "a value without members";
    "E026" NotATemplate Error "a name that is no template";
    "E027" NotAProcess Error "a name that is no process of the system";
    "E028" UnknownLocation Error "no such location";
    "E029" MissingInitialLocation Error "a template without an initial location";
    "E030" MissingSystem Error "no processes are declared";
    "E031" UnknownLabel Error "no location has this label";
    "E032" AmbiguousName Error "a name that several things have";
    "E033" NoStates Error "a machine without states";
    // Types
    "E040" TypeMismatch Error "operands of the wrong type";
    "E041" NotAssignable Error "not something that can be changed";
    "E042" NotConstant Error "not computable before the run";
    "E043" SideEffect Error "a side effect where none is allowed";
    "E044" NotAGuard Error "not usable as a guard";
    "E045" NotAnInvariant Error "not usable as an invariant";
    "E046" NotAChannel Error "not a channel";
    "E047" InvalidType Error "a type that cannot be used here";
    "E048" MissingInitialiser Error "a constant without a value";
    "E049" BadInitialiser Error "an initialiser that does not fit";
    "E050" WrongArguments Error "wrong number or kind of arguments";
    "E051" NotCallable Error "not a function";
    "E052" MissingReturn Error "a function that may end without a value";
    "E053" BadReturn Error "a return that does not fit the function";
    "E054" Recursion Error "a function that calls itself";
    "E055" QuantifierDomain Error "a range that cannot be iterated over";
    "E056" NonlinearClock Error "a clock in an expression that zones cannot represent";
    "E057" UrgentAndCommitted Error "a location that is urgent and committed";
    "E058" MixedSync Error "two styles of synchronisation in one model";
    "E059" ReadsClock Error "a clock is read where only data may be";
    // Instantiation and system
    "E060" BadFreeParameter Error "a process parameter that has no finite range";
    "E061" BadReference Error "a reference argument that does not name one variable";
    "E062" DuplicateProcess Error "a process that is named twice";
    "E063" BadPriority Error "a priority declaration that does not fit";
    "E064" BadBranchpoint Error "a branch point that is not used as one";
    // Queries
    "E070" BadQuery Error "not a query";
    "E071" QueryNotSupported Error "a query of an analysis that is not offered here";
    "E072" BadDeadlock Error "deadlock where it cannot be asked";
    // Values and sizes, found while the network is built
    "E080" OutOfRange Error "a value outside its range";
    "E081" DivisionByZero Error "a division by zero or another undefined operation";
    "E082" EmptyRange Error "a range without values";
    "E083" BadArraySize Error "an array size that makes no sense";
    "E084" TooLarge Error "too large to be built";
    "E085" NotSupported Error "understood, but not supported here";
    "E086" ClockConstantTooLarge Error "a clock constant outside the supported range";
    "E087" EvaluationLimit Error "a computation that does not end";
    "E088" NegativeCost Error "a price or cost rate below zero";
    // PLC automata
    "E090" NotTotal Error "a location that does not say what to do for some input";
    "E091" OverlappingTransitions Error "two transitions for the same input";
    "E092" MissingOutput Error "a location without a value for an output";
    "E093" BadDelay Error "a delay that does not say what it ignores";
    "E094" BadCycle Error "a cycle time that makes no sense";
    "E095" BadWire Error "an input that is not connected, or not to its like";
    "E096" BadVariant Error "a variant that cannot be made";
    // State machines
    "E100" UnknownState Error "no such state";
    "E101" Misplaced Error "an element that may not stand here";
    "E102" BadTargets Error "states that cannot be active together";
    "E103" BadHistory Error "a history that does not say where to begin";
    // Warnings
    "W001" UnusedVariable Warning "a variable that is never read";
    "W002" UnusedChannelDirection Warning "a channel that is only sent or only received on";
    "W003" NeverHolds Warning "a condition that never holds";
    "W004" Shadowing Warning "a name that hides another";
    "W005" NoEffect Warning "an expression without an effect";
    "W006" StrictInvariant Warning "a strict upper bound in an invariant";
    "W007" LowerBoundInvariant Warning "a lower bound in an invariant";
    "W008" UrgentClockGuard Warning "a clock guard on an urgent synchronisation";
    "W009" SelfSynchronisation Warning "a process that can only synchronise with itself";
    "W010" ConstantOutOfRange Warning "a constant compared or assigned outside a variable's range";
    "W011" UnusedTemplate Warning "a template that no process uses";
    "W012" BranchNote Warning "probabilities are read as free choices";
    "W013" Ignored Warning "kept, but without meaning for this analysis";
    "W014" DuplicateId Warning "an id that is used twice";
    "W015" UnreachableLocation Warning "a location that no edge leads to";
    "W016" AssignmentAsCondition Warning "an assignment used as a condition";
    "W017" NumberCut Warning "a range bound beyond 32 bits";
    "W018" NoLocations Warning "a template without locations";
    "W019" UnusedChannel Warning "a channel that nothing synchronises on";
    "W020" UncalledFunction Warning "a function that is never called";
    "W021" UnusedTemplateError Warning "an error in a template that no process uses";
    "W022" WrapsAround Warning "a result that does not fit into 32 bits";
    "W023" OutsideTheStandard Warning "an element or attribute that the standard does not know here";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_their_letter_is_the_severity() {
        let mut ids: Vec<_> = Code::ALL.iter().map(|code| code.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), Code::ALL.len());
        for code in Code::ALL {
            let letter = if code.severity() == Severity::Error { 'E' } else { 'W' };
            assert!(code.id().starts_with(letter), "{code}");
        }
    }
}
