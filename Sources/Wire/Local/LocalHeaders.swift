/// Header fields of the daemon's answers.
package enum LocalHeader {
    /// How many items an exported file holds.
    package static let count = "Tandem-Count"
}
